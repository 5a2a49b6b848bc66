import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { closeAfterwards } from '../close-afterwards.js'
import { filesPath, type Place } from './upload.js'

export const boundary = 'a-part-of-it'

/** The form part with a file, without the end of the form. */
export function filePart(name: string, content: string, field = 'file'): string {
  return `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\n\r\n${content}\r\n`
}

export const formEnd = `--${boundary}--\r\n`

/** Opens a connection and begins an upload. The test sends the rest of the form. */
export async function beginUpload(
  { url, apiKey, organizationId }: Place,
  contentLength: number,
): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  closeAfterwards(() => socket.destroy())
  await once(socket, 'connect')
  const head = [
    `POST ${filesPath} HTTP/1.1`,
    `Host: ${hostname}`,
    `X-Api-Key: ${apiKey}`,
    `X-Org-Id: ${organizationId}`,
    `Content-Type: multipart/form-data; boundary=${boundary}`,
    `Content-Length: ${contentLength}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  return socket
}

/** Returns the first response data without waiting for the connection to end. */
export async function firstAnswer(socket: Socket): Promise<string> {
  const [piece] = (await once(socket, 'data')) as [Buffer]
  return piece.toString()
}
