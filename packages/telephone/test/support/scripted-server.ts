import { createSocket, type RemoteInfo } from 'node:dgram'
import { once } from 'node:events'
import { closeAfterwards } from '../../../../apps/server/test/support/close-afterwards.js'

const sdp = ['v=0', 'o=- 1 1 IN IP4 127.0.0.1', 's=-', 'c=IN IP4 127.0.0.1', 't=0 0', 'm=audio 9 RTP/AVP 0']

/** A SIP server on a UDP port of this machine, whose answers the test decides. */
export class ScriptedServer {
  /** Every message that arrived. */
  readonly heard: string[] = []
  readonly #socket = createSocket('udp4')
  /** Returns the status of the answer to a request, with more headers, or null for none. */
  answer: (request: string) => { readonly status: string; readonly headers?: readonly string[] } | null =
    () => ({
      status: '200 OK',
    })

  /** The port that the server sees, or null to report none: RFC 3581. */
  seenPort: number | null = null

  static async start(): Promise<ScriptedServer> {
    const server = new ScriptedServer()
    server.#socket.bind(0, '127.0.0.1')
    await once(server.#socket, 'listening')
    closeAfterwards(() => server.#socket.close())
    server.#socket.on('message', (bytes, from) => server.#receive(bytes.toString(), from))
    return server
  }

  get port(): number {
    return this.#socket.address().port
  }

  /** The requests with this method, in the order of their arrival. */
  requests(method: string): string[] {
    return this.heard.filter((message) => message.startsWith(`${method} `))
  }

  send(message: string, port: number): void {
    this.#socket.send(message, port, '127.0.0.1')
  }

  #receive(message: string, from: RemoteInfo): void {
    this.heard.push(message)
    const [method = ''] = message.split(' ', 1)
    if (!/^[A-Z]+ /.test(message) || method === 'ACK') return
    const answer = this.answer(message)
    if (answer === null) return
    const copied = message
      .split('\r\n')
      .filter((line) => /^(Via|From|To|Call-ID|CSeq|Contact):/.test(line))
      .map((line) => (this.seenPort === null ? line : line.replace(/;rport$/, `;rport=${this.seenPort}`)))
      .map((line) => (line.startsWith('To:') && !line.includes(';tag=') ? `${line};tag=server` : line))
      .map((line) => (line.startsWith('Contact:') && method !== 'REGISTER' ? this.#contact : line))
    const isAnswered = method === 'INVITE' && answer.status.startsWith('2')
    const body = isAnswered ? `${sdp.join('\r\n')}\r\n` : ''
    const lines = [
      `SIP/2.0 ${answer.status}`,
      ...copied,
      ...(answer.headers ?? []),
      ...(isAnswered ? ['Content-Type: application/sdp'] : []),
      `Content-Length: ${body.length}`,
    ]
    this.#socket.send(`${lines.join('\r\n')}\r\n\r\n${body}`, from.port, from.address)
  }

  get #contact(): string {
    return `Contact: <sip:server@127.0.0.1:${this.port}>`
  }
}

/** Returns the value of a header of a message, or null. */
export function headerIn(message: string | undefined, name: string): string | null {
  return new RegExp(`^${name}: (.*)$`, 'm').exec(message ?? '')?.[1]?.trimEnd() ?? null
}
