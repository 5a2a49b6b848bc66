import type { ConnectOptions } from '../realtime/connect.js'

/**
 * Defaults for pages that load the SDK from the service in one file. The service serves both the script and the worklet, so a
 * content security policy that allows its origin covers both.
 */
export const servedDefaults: Pick<ConnectOptions, 'url' | 'workletUrl'> = {
  url: new URL(import.meta.url).origin,
  workletUrl: new URL('audio.worklet.js', import.meta.url).href,
}
