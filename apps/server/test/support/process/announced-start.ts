import { withListeningPort } from '#server/config/config.js'
import { announce } from '#server/edge/terminal/announce.js'
import { version } from '#server/version.js'
import type { RunningService } from '../start-service.js'

/** The start screen of a service that was started in this process. */
export async function announcedStart(
  { config, listening }: RunningService,
  { isTTY = false }: { readonly isTTY?: boolean } = {},
): Promise<string> {
  let screen = ''
  const terminal = {
    isTTY,
    write: (text: string) => {
      screen += text
    },
  }
  await announce(terminal, withListeningPort(config, listening.port), { version, ...listening })
  return screen
}
