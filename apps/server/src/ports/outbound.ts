/** The purpose of a URL: `http` accepts http: and https:, `websocket` accepts ws: and wss:. */
export type OutboundUse = 'http' | 'websocket'

/** The methods that tools and models need. */
export type OutboundMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Why a call failed: the guard or the redirect rules forbid it, the host sent no valid response, it timed
 * out, or the response exceeds the size limit.
 */
export type OutboundFailureReason = 'refused' | 'connection-failed' | 'timed-out' | 'too-large'

/**
 * The error with which a call, or the reading of its body, rejects. It is an error and not a return value,
 * because it may occur at any byte of a body and must pass through streams and libraries.
 */
export interface OutboundFailure extends Error {
  /** The field that callers branch on. */
  readonly reason: OutboundFailureReason
  /** A message for the caller. Names PARLEY_ALLOWED_PRIVATE_HOSTS if that setting would help. */
  readonly detail: string
}

/** A checked IP address. */
export interface OutboundAddress {
  /** Without brackets. */
  readonly address: string
  readonly family: 4 | 6
}

/** One call and its limits. */
export interface OutboundRequest {
  /** Defaults to GET. */
  readonly method?: OutboundMethod | undefined
  /** All headers are treated as secrets. After a redirect, none is sent to another origin. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Never sent to another origin after a redirect. A redirect that would require this is refused. */
  readonly body?: string | Uint8Array | undefined
  /** Applies to the whole call: lookup, connection, redirects, headers and body. */
  readonly timeoutMilliseconds: number
  /** The size limit of the body after decompression. */
  readonly maxResponseBytes: number
  /** If false, a redirect is returned as the response. Defaults to true. */
  readonly followsRedirects?: boolean | undefined
  /**
   * Called when sending starts, after the connection is established. Called again for each redirect that is
   * followed.
   */
  readonly onSent?: (() => void) | undefined
  /** Aborting rejects the call, or reading its body, with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** A response whose body has not been read yet. */
export interface OutboundResponse {
  /** The URL that answered, after redirects. */
  readonly url: string
  /** Any status except a redirect that was followed. */
  readonly status: number
  /** Names are in lower case. Repeated headers are joined with a comma. */
  readonly headers: ReadonlyMap<string, string>
  /** The decompressed body as it arrives. It can be read once, here or with `bytes` or `text`. */
  readonly body: AsyncIterable<Uint8Array>
  /** Reads the whole body. */
  bytes(): Promise<Uint8Array>
  /** Reads the whole body as UTF-8. */
  text(): Promise<string>
  /** Releases an unread body. Otherwise, it occupies its connection until the timeout. */
  discard(): void
}

/** Guards requests to addresses that callers choose. All outbound requests of the service use it. */
export interface Outbound {
  /**
   * Returns why this URL may never be called, based only on its text, or null if it may. `use` defaults to
   * `http`.
   */
  explainRefusal(url: string, use?: OutboundUse): string | null
  /** Calls a URL and guards every connection and redirect. Rejects with an OutboundFailure. */
  fetch(url: string, request: OutboundRequest): Promise<OutboundResponse>
  /**
   * Returns the checked addresses of a ws: or wss: URL. The socket must connect to one of them without
   * another lookup.
   */
  resolve(url: string, signal?: AbortSignal): Promise<readonly OutboundAddress[]>
  isFailure(error: unknown): error is OutboundFailure
  /** Closes every connection. Calls in progress and later calls fail. */
  close(): Promise<void>
}

/** The fields of a connection that determine how its provider is called. */
export interface CalledConnection {
  /** Without a trailing slash. Null if the connection has no address. */
  readonly address: string | null
  /** Whether the connection comes from the operator's environment. */
  readonly isFromEnvironment: boolean
}

/**
 * Selects the outbound guard for a connection. The operator may configure a provider in a private network.
 * That provider may be called only through the connection from the environment, and only at exactly that
 * address.
 */
export interface ProviderOutbound {
  forConnection(connection: CalledConnection): Outbound
  /** Closes every connection that the operator's guard has opened. */
  close(): Promise<void>
}
