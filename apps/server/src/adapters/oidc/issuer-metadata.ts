import type * as OpenidClient from 'openid-client'
import type { Timers } from '../../ports/time.js'

export interface IssuerMetadataOptions {
  readonly issuer: string
  readonly timers: Timers
  /** For one try; there are two. */
  readonly timeoutSeconds: number
  readonly fetch: OpenidClient.CustomFetch
}

const maxAgeMilliseconds = 60 * 60 * 1000

/**
 * What the issuer says of itself, read when somebody needs it and kept for an hour; those who come meanwhile share one
 * read. One that failed is tried once more, then nothing is kept of it: the next one who comes tries again.
 */
export function makeIssuerMetadata({ issuer, timers, timeoutSeconds, fetch }: IssuerMetadataOptions) {
  let kept: { readonly metadata: OpenidClient.ServerMetadata; readonly readAt: number } | null = null
  let reading: Promise<OpenidClient.ServerMetadata> | null = null

  async function discover(library: typeof OpenidClient): Promise<OpenidClient.ServerMetadata> {
    const server = new URL(issuer)
    const execute = server.protocol === 'http:' ? [library.allowInsecureRequests] : []
    const options = { execute, timeout: timeoutSeconds, [library.customFetch]: fetch }
    // Neither the id nor a secret is sent here.
    const ask = () => library.discovery(server, 'discovery', undefined, library.None(), options)
    const metadata = (await ask().catch(ask)).serverMetadata()
    kept = { metadata, readAt: timers.monotonic() }
    return metadata
  }

  return {
    async read(library: typeof OpenidClient): Promise<OpenidClient.ServerMetadata> {
      if (kept !== null && timers.monotonic() - kept.readAt < maxAgeMilliseconds) return kept.metadata
      reading ??= discover(library).finally(() => {
        reading = null
      })
      return reading
    },
  }
}
