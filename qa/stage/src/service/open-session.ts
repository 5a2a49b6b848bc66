import WebSocket from 'ws'

export type Opened =
  | { readonly ok: true; readonly socket: WebSocket }
  | { readonly ok: false; readonly reason: string }

const timeoutMilliseconds = 30_000

/**
 * Opens a session. Resolves after the provider's greeting. A rejected handshake has its reason in the body.
 */
export function openSession(url: string, path: string): Promise<Opened> {
  return new Promise((settle) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}${path}`, { perMessageDeflate: false })
    const timer = setTimeout(() => reject('the session did not open in time'), timeoutMilliseconds)
    const reject = (reason: string) => {
      clearTimeout(timer)
      socket.terminate()
      settle({ ok: false, reason })
    }
    socket.on('error', (error) => reject(error.message))
    socket.once('close', (code) => reject(`closed with ${code}`))
    socket.once('message', () => {
      clearTimeout(timer)
      settle({ ok: true, socket })
    })
    socket.once('unexpected-response', async (_request, response) => {
      let text = ''
      for await (const chunk of response.setEncoding('utf8')) text += chunk
      reject(reasonIn(text))
    })
  })
}

function reasonIn(text: string): string {
  try {
    const { errorCode }: { readonly errorCode?: string } = JSON.parse(text)
    return errorCode ?? text
  } catch {
    return text
  }
}
