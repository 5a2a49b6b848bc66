import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { App } from '../services.js'
import { takesGzip } from './built-file.js'

/** Below this length, compression saves less than a network packet. */
const minLength = 1024

const compress = promisify(gzip)

/**
 * Compresses longer answers for clients that accept it, on a thread of its own. An answer with an entity tag stays as it
 * is, because a tag names one representation.
 */
export function registerCompression(app: App): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const isLong = typeof payload === 'string' && payload.length >= minLength
    if (!isLong || !takesGzip(request) || reply.hasHeader('etag')) {
      done(null, payload)
      return
    }
    compress(payload, { level: 1 }).then((compressed) => {
      reply.headers({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
      done(null, compressed)
    }, done)
  })
}
