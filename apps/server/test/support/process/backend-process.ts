import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { closeAfterwards } from '../close-afterwards.js'

/** Runs an example backend until the test ends. Returns the address that it prints when it serves. */
export async function startBackend(
  program: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  closeAfterwards(async () => {
    child.kill()
    await exited
  })
  const [address] = await once(createInterface({ input: child.stdout }), 'line')
  return String(address)
}
