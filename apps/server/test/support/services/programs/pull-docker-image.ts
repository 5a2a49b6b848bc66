import type { Installation } from './installation.js'
import { runCommand } from './run-command.js'

/** Runs programs in a container, for machines that have only Docker. */
export function pullDockerImage(image: string) {
  return async (): Promise<Installation | undefined> => {
    await runCommand(['docker', 'version'], { timeoutSeconds: 10 })
    await runCommand(['docker', 'image', 'inspect', image], { timeoutSeconds: 10 }).catch(() =>
      runCommand(['docker', 'pull', '--quiet', image], { timeoutSeconds: 300 }),
    )
    return { kind: 'image', origin: `in Docker's ${image}`, image }
  }
}
