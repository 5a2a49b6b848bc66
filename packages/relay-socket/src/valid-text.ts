import { isUtf8 } from 'node:buffer'

/**
 * Returns a text message unchanged if it is UTF-8. Otherwise returns it with replacement characters, because a browser
 * closes the connection when it receives invalid text. Only a provider's text can be invalid here: `ws` closes the
 * connection of a client that sends such text.
 */
export function validText(message: Buffer): Buffer {
  return isUtf8(message) ? message : Buffer.from(message.toString('utf8'))
}
