import { createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import WebSocket from 'ws'
import { TelephoneLine } from './telephone-line.js'

const authToken = 'bench-auth-token'
const ownNumber = '+4930123456'

/** A stand-in for Twilio. */
export interface CarrierStandIn {
  /** The account for a phone connection, and a number on it. */
  readonly account: object
  readonly number: string
  /** Calls the number of this phone connection. Resolves when the agent has answered. */
  call(serviceUrl: string, phoneConnectionId: string): Promise<TelephoneLine>
  close(): void
}

export async function startCarrier(): Promise<CarrierStandIn> {
  const api = createServer((request, response) => {
    request.resume()
    response.writeHead(201, { 'content-type': 'application/json' }).end('{"sid":"CA1"}')
  })
  api.listen(0, '127.0.0.1')
  await once(api, 'listening')
  const baseUrl = `http://127.0.0.1:${(api.address() as AddressInfo).port}`
  return {
    account: { kind: 'twilio', accountId: 'AC1', secret: authToken, baseUrl },
    number: ownNumber,
    async call(serviceUrl, phoneConnectionId) {
      const callSid = randomUUID()
      const url = `${serviceUrl}/phone/${phoneConnectionId}/answer`
      const form = { CallSid: callSid, From: '+4930765432', To: ownNumber, CallStatus: 'ringing' }
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'x-twilio-signature': sign(url, form) },
        body: new URLSearchParams(form),
      })
      const markup = await answer.text()
      const streamUrl = /<Stream url="([^"]+)"/.exec(markup)?.[1]
      const token = /name="token" value="([^"]+)"/.exec(markup)?.[1]
      if (streamUrl === undefined || token === undefined)
        throw new Error(`The call was not answered (${answer.status}): ${markup}`)
      const socket = new WebSocket(streamUrl, { headers: { 'x-twilio-signature': sign(streamUrl, {}) } })
      await once(socket, 'open')
      return new TelephoneLine(socket, { callSid, token })
    },
    close() {
      api.close()
      api.closeAllConnections()
    },
  }
}

/** Signs as Twilio documents it: the URL, then each name with its value, sorted. */
function sign(url: string, form: Readonly<Record<string, string>>): string {
  const fields = Object.entries(form)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flat()
  return createHmac('sha1', authToken)
    .update([url, ...fields].join(''))
    .digest('base64')
}
