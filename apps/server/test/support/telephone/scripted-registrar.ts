import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { expect } from 'vitest'
import { closeAfterwards } from '../close-afterwards.js'

export interface ScriptedRegistrar {
  readonly port: number
  /** The number of REGISTER requests so far. */
  readonly requests: number
  /** The contacts that are registered now. */
  readonly contacts: readonly string[]
  /** The largest number of contacts that were registered at the same time. */
  readonly mostContacts: number
  /** The status of later answers. */
  answerWith(status: number): void
  /** Resolves with the registered contacts when there are this many. */
  untilContacts(count: number): Promise<readonly string[]>
}

/** A registrar over UDP that accepts every password, or answers with the status that the test chooses. */
export async function startScriptedRegistrar(): Promise<ScriptedRegistrar> {
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  closeAfterwards(() => socket.close())
  const contacts = new Set<string>()
  let [status, requests, mostContacts] = [200, 0, 0]
  socket.on('message', (message, from) => {
    const text = message.toString()
    if (!text.startsWith('REGISTER ')) return
    requests += 1
    for (const [, contact = '', expires] of text.matchAll(/^Contact: <([^>]+)>;expires=(\d+)/gim)) {
      if (status !== 200) continue
      if (expires === '0') contacts.delete(contact)
      else contacts.add(contact)
    }
    mostContacts = Math.max(mostContacts, contacts.size)
    const copied = text.split('\r\n').filter((line) => /^(?:Via|From|To|Call-ID|CSeq|Contact):/i.test(line))
    const answer = [`SIP/2.0 ${status} Scripted`, ...copied, 'Expires: 600', 'Content-Length: 0', '', '']
    socket.send(answer.join('\r\n'), from.port, from.address)
  })
  return {
    port: socket.address().port,
    get requests() {
      return requests
    },
    get contacts() {
      return [...contacts]
    },
    get mostContacts() {
      return mostContacts
    },
    answerWith: (next) => {
      status = next
    },
    untilContacts: async (count) => {
      await expect.poll(() => contacts.size, { message: 'the number of registered contacts' }).toBe(count)
      return [...contacts]
    },
  }
}
