/** A result with its metadata. */
export interface ApiResult<Data> {
  readonly data: Data
  readonly status: number
  /** The version of the resource, for `ifMatch`. */
  readonly etag: string | null
  /** The id of the request in the service's log. */
  readonly requestId: string | null
  readonly headers: Headers
}

/** A promise of the data. `withResponse()` also returns ETag, status and headers. */
export class ApiPromise<Data> extends Promise<Data> {
  readonly #result: Promise<ApiResult<Data>>

  /** `then` returns a plain promise. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise
  }

  constructor(result: Promise<ApiResult<Data>>) {
    super((resolve, reject) => void result.then(({ data }) => resolve(data), reject))
    this.#result = result
  }

  withResponse(): Promise<ApiResult<Data>> {
    // A caller of `withResponse` gets the error there.
    this.catch(() => undefined)
    return this.#result
  }
}

export function resultOf<Data>({ status, headers }: Response, data: Data): ApiResult<Data> {
  return {
    data,
    status,
    etag: headers.get('etag'),
    requestId: headers.get('x-request-id'),
    headers,
  }
}
