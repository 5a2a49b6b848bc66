import type { Problem, TemporaryFile } from '@parley/contract'
import type { Credentials } from '../api-client.js'

export interface SentFile {
  readonly name: string
  readonly content: string | Uint8Array
  /** The content type that the sender declares. */
  readonly type?: string
}

export interface UploadAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: TemporaryFile & Problem
}

export interface Place extends Credentials {
  readonly url: string
}

export const filesPath = '/api/v1/TemporaryFile'

/** Uploads a file as a program with a form does. */
export async function upload(place: Place, { name, content, type = '' }: SentFile): Promise<UploadAnswer> {
  const form = new FormData()
  form.append('file', new File([content], name, { type }))
  return sendForm(place, form)
}

export async function sendForm(
  { url, apiKey, organizationId }: Place,
  form: FormData,
): Promise<UploadAnswer> {
  const response = await fetch(`${url}${filesPath}`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'x-org-id': organizationId },
    body: form,
  })
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as UploadAnswer['body'],
  }
}

/** Uploads an accepted file and returns the created resource. */
export async function uploaded(place: Place, file: SentFile): Promise<TemporaryFile> {
  const { status, body } = await upload(place, file)
  if (status !== 201) throw new Error(`The upload of ${file.name} answered ${status}: ${body.detail}`)
  return body
}
