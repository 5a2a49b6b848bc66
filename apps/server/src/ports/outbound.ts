/** What a URL is for: `http` takes http: and https:, `websocket` takes ws: and wss:. */
export type OutboundUse = 'http' | 'websocket'

/** The methods that tools and models need. */
export type OutboundMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Why a call brought no answer: the guard or the redirect rules forbid it, the host did not answer properly,
 * the time was up, or the answer is over the cap.
 */
export type OutboundFailureReason = 'refused' | 'connection-failed' | 'timed-out' | 'too-large'

/**
 * The error that a call, or the reading of its body, is rejected with. An error and no value: it may come with any byte
 * of a body, and through streams and libraries that carry nothing else.
 */
export interface OutboundFailure extends Error {
  /** What callers branch on. */
  readonly reason: OutboundFailureReason
  /** Fit for the caller, and names PARLEY_ALLOWED_PRIVATE_HOSTS where that setting would help. */
  readonly detail: string
}

/** An address that was checked. */
export interface OutboundAddress {
  /** Without brackets. */
  readonly address: string
  /** The version of the Internet Protocol. */
  readonly family: 4 | 6
}

/** One call and its limits. */
export interface OutboundRequest {
  /** GET where it is left out. */
  readonly method?: OutboundMethod | undefined
  /** Taken to hold secrets, all of them: none follows a redirect to another origin. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Never follows a redirect to another origin either: such a redirect is refused. */
  readonly body?: string | Uint8Array | undefined
  /** Covers the whole call: lookup, connection, redirects, headers and body. */
  readonly timeoutMilliseconds: number
  /** The cap on the body, counted after decompression. */
  readonly maxResponseBytes: number
  /** False: a redirect is returned as the answer it is. True where it is left out. */
  readonly followsRedirects?: boolean | undefined
  /** Called when the request begins to leave, once there is a connection; again for each redirect that is followed. */
  readonly onSent?: (() => void) | undefined
  /** Aborting rejects the call, or the reading of its body, with the signal's own reason. */
  readonly signal?: AbortSignal | undefined
}

/** An answer whose body has yet to be read. */
export interface OutboundResponse {
  /** The address that answered, after redirects. */
  readonly url: string
  /** Any status that is not a redirect we follow. */
  readonly status: number
  /** Names in lower case; repeated headers are joined with a comma. */
  readonly headers: ReadonlyMap<string, string>
  /** The decompressed body as it arrives; it can be read once, by this or by one of the two methods below. */
  readonly body: AsyncIterable<Uint8Array>
  /** Reads the body to its end. */
  bytes(): Promise<Uint8Array>
  /** Reads the body to its end as UTF-8. */
  text(): Promise<string>
  /** Releases a body that nobody will read; left alone, it holds its connection until the time is up. */
  discard(): void
}

/** Guards requests to addresses that callers choose. All requests that leave the service go through it. */
export interface Outbound {
  /** Says why this URL may never be called, by its spelling alone, or null; `use` is http if left out. */
  explainRefusal(url: string, use?: OutboundUse): string | null
  /** Calls a URL, every connection and every redirect guarded; rejects with an OutboundFailure. */
  fetch(url: string, request: OutboundRequest): Promise<OutboundResponse>
  /** Gives the checked addresses of a ws: or wss: URL; its socket must go to one of them without a new lookup. */
  resolve(url: string, signal?: AbortSignal): Promise<readonly OutboundAddress[]>
  /** Tells an OutboundFailure from every other error. */
  isFailure(error: unknown): error is OutboundFailure
  /** Ends every connection; calls under way fail, and so do later ones. */
  close(): Promise<void>
}

/** A connection, as far as the way to its provider goes. */
export interface CalledConnection {
  /** Without a slash at its end; null where there is none to call. */
  readonly address: string | null
  /** It is the one that the operator's environment has made. */
  readonly isFromEnvironment: boolean
}

/**
 * Chooses the outbound guard for a connection. The operator may have configured a provider in a private network: only the
 * connection that comes from the environment may call it, at exactly that address.
 */
export interface ProviderOutbound {
  /** Returns the outbound guard for calls of this connection. */
  forConnection(connection: CalledConnection): Outbound
  /** Ends every connection that the operator's own guard has opened. */
  close(): Promise<void>
}
