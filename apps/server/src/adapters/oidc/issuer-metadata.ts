import type * as OpenidClient from 'openid-client'
import type { Timers } from '../../ports/time.js'

export interface IssuerMetadataOptions {
  readonly issuer: string
  readonly timers: Timers
  /** The time limit for one attempt. There are two attempts. */
  readonly timeoutSeconds: number
  readonly fetch: OpenidClient.CustomFetch
}

const maxAgeMilliseconds = 60 * 60 * 1000

/**
 * Reads the identity provider's metadata on first use and keeps it for an hour. Concurrent callers share one
 * read. A failed read is repeated once. After a second failure, nothing is kept, so that the next caller
 * reads again.
 */
export function makeIssuerMetadata({ issuer, timers, timeoutSeconds, fetch }: IssuerMetadataOptions) {
  let kept: { readonly metadata: OpenidClient.ServerMetadata; readonly readAt: number } | null = null
  let reading: Promise<OpenidClient.ServerMetadata> | null = null

  async function discover(library: typeof OpenidClient): Promise<OpenidClient.ServerMetadata> {
    const server = new URL(issuer)
    const execute = server.protocol === 'http:' ? [library.allowInsecureRequests] : []
    const options = { execute, timeout: timeoutSeconds, [library.customFetch]: fetch }
    // This request contains neither the client id nor a secret.
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
