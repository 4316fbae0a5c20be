/** After the projects that run on servers: stops those that are private. */
import './server-of-project.ts'

export default async function stopServers(): Promise<void> {
  await Promise.all([...(globalThis.testServers?.values() ?? [])].map((server) => server.stop()))
}
