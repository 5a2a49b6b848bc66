import { type Dispatcher, request as dispatch } from 'undici'

export interface RawRequest {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** The response continues until its reader disconnects, so the first event is enough. */
  readonly isEndless?: boolean
}

export interface RawAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Sends exactly this request and adds no headers. It is quicker than fetch for thousands of requests. */
export async function send(url: string, request: RawRequest): Promise<RawAnswer> {
  const { method, path, headers, body, isEndless = false } = request
  const response = await dispatch(`${url}${path}`, {
    method,
    ...(headers && { headers }),
    ...(body !== undefined && { body }),
  })
  const answered = new Headers()
  for (const [name, value] of Object.entries(response.headers))
    for (const each of [value ?? []].flat()) answered.append(name, each)
  return {
    status: response.statusCode,
    headers: answered,
    text: await (isEndless ? firstEvent : wholeText)(response.body),
  }
}

const wholeText = (body: Dispatcher.ResponseData['body']) => body.text()

/** Leaving the loop closes the connection. */
async function firstEvent(body: Dispatcher.ResponseData['body']): Promise<string> {
  let text = ''
  for await (const part of body) {
    text += String(part)
    if (/^data: .*\n\n/m.test(text)) break
  }
  return text
}
