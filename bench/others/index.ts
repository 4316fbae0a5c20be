/** The services that Gloss is compared with. */
import type { OtherService } from './service.ts'

export const OTHERS: readonly OtherService[] = []
