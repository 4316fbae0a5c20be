/** Stops the private servers after the projects that use them. */
import './server-of-project.ts'

export default async function stopServers(): Promise<void> {
  await Promise.all([...(globalThis.testServers?.values() ?? [])].map((server) => server.stop()))
}
