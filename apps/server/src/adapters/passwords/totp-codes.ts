import { Secret, TOTP } from 'otpauth'
import type { OneTimeCodes } from '../../ports/secrets.js'

const issuer = 'Parley'
/** Supported by every authenticator: SHA-1, six digits, 30 seconds. */
const form = { issuer, algorithm: 'SHA1', digits: 6, period: 30 } as const
const secretBytes = 20
/** The previous and the next step are accepted too, because clocks differ. */
const window = 1

export const totpCodes: OneTimeCodes = {
  newSecret: () => new Secret({ size: secretBytes }).base32,

  uriOf: (secret, account) =>
    new TOTP({ ...form, label: account, secret: Secret.fromBase32(secret) }).toString(),

  stepAt: (now) => Math.floor(now.getTime() / 1000 / form.period),

  stepOf(secret, code, now) {
    const timestamp = now.getTime()
    const totp = new TOTP({ ...form, secret: Secret.fromBase32(secret) })
    const delta = totp.validate({ token: code, timestamp, window })
    return delta === null ? null : totp.counter({ timestamp }) + delta
  },
}
