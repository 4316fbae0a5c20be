/** The routes of the admin server. */
import type { Metrics } from './metrics.ts'
import type { Health } from './admin/health.ts'
import type { AdminRoutes } from './admin/server.ts'

/** The handlers by path; without metrics there is no text of them. */
export const adminRoutes = (health: Health, metrics: Metrics | undefined): AdminRoutes => ({
  '/livez': health.live,
  '/readyz': health.ready,
  '/metrics': async () => ({
    status: 200,
    contentType: metrics?.contentType ?? '',
    text: (await metrics?.text()) ?? '',
  }),
})
