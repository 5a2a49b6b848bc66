import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { closeAfterwards } from '../close-afterwards.js'

/** Sends these bytes unchanged and returns the response bytes until the other side ends the connection. */
export async function exchange(url: string, bytes: string): Promise<{ head: string; body: string }> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  closeAfterwards(() => socket.destroy())
  await once(socket, 'connect')
  socket.write(bytes, 'latin1')
  const answer = await text(socket)
  const [head = '', ...rest] = answer.split('\r\n\r\n')
  return { head, body: rest.join('\r\n\r\n') }
}
