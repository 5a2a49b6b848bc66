import { randomBytes } from 'node:crypto'

/** Returns a one-time token for a media socket. It has letters and digits only, because some providers allow no others. */
export const newStreamToken = () => randomBytes(32).toString('hex')
