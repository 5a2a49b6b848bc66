import { CarrierError } from '#telephone/streams/carrier-api.js'

export const incoming = { callId: 'call-1', direction: 'in', from: '+4930111', to: '+4930222' } as const

export const target = { url: 'wss://example.com/phone/media', token: 'onetime' }

export const outgoing = {
  ...target,
  to: '+4930333',
  from: '+4930222',
  statusUrl: 'https://example.com/phone/status',
  answerUrl: 'https://example.com/phone/answer',
  ringSeconds: 30,
  maxSeconds: 600,
  detectsVoicemail: true,
  idempotencyKey: 'key-1',
}

export const post = (
  body: string,
  headers: Record<string, string> = {},
  url = 'https://example.com/hook',
) => ({
  method: 'POST',
  url,
  headers,
  body,
})

export const postForm = (fields: Record<string, string>) => post(new URLSearchParams(fields).toString())

export const postJson = (value: object) => post(JSON.stringify(value))

/** Returns the error of a rejected command. */
export async function rejectionOf(promise: Promise<unknown>): Promise<CarrierError> {
  const error = await promise.catch((reason: unknown) => reason)
  if (!(error instanceof CarrierError)) throw new Error(`not a CarrierError: ${error}`)
  return error
}
