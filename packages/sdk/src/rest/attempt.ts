import { ConnectionError, TimeoutError } from './api-error.js'

export interface AttemptInput<Result> {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  readonly url: string
  readonly init: RequestInit
  readonly signal: AbortSignal | undefined
  readonly timeoutMilliseconds: number
  /** The response is read later and can be cancelled until then. */
  readonly isStreamed: boolean
  /** Reads the response within the same time limit. */
  readonly read: (response: Response) => Promise<Result>
}

/** Sends a request once. Failures are `ConnectionError`s, unless the caller cancelled or `read` throws another error. */
export async function attempt<Result>(input: AttemptInput<Result>): Promise<Result> {
  const { signal, timeoutMilliseconds } = input
  signal?.throwIfAborted()
  const controller = new AbortController()
  const cancel = () => controller.abort(signal?.reason)
  signal?.addEventListener('abort', cancel, { once: true })
  let isTimedOut = false
  const timer = setTimeout(() => {
    isTimedOut = true
    controller.abort()
  }, timeoutMilliseconds)
  try {
    const response = await send(input, controller.signal)
    return await input.read(response)
  } catch (error) {
    signal?.throwIfAborted()
    if (isTimedOut) throw new TimeoutError(`No response within ${timeoutMilliseconds} ms.`, { cause: error })
    throw error
  } finally {
    clearTimeout(timer)
    if (!input.isStreamed) signal?.removeEventListener('abort', cancel)
  }
}

async function send({ fetch, url, init }: AttemptInput<unknown>, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(url, { ...init, signal, redirect: 'manual' })
  } catch (error) {
    throw new ConnectionError(`The service at ${new URL(url).origin} cannot be reached.`, { cause: error })
  }
}

/** Returns the text of a response. Throws a ConnectionError if the body is incomplete. */
export async function readText(response: Response): Promise<string> {
  try {
    return await response.text()
  } catch (error) {
    throw new ConnectionError('The connection was lost during the response.', { cause: error })
  }
}
