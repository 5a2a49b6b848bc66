import type { ConnectOptions } from '../realtime/connect.js'

/**
 * For pages that load the SDK in one file, from the service: the service is where the script came from, and the worklet lies
 * beside it, so that a content security policy that admits the script admits everything.
 */
export const servedDefaults: Pick<ConnectOptions, 'url' | 'workletUrl'> = {
  url: new URL(import.meta.url).origin,
  workletUrl: new URL('audio.worklet.js', import.meta.url).href,
}
