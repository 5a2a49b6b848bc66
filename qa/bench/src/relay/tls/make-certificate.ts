import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** Certificate and key in PEM format. */
export interface Certificate {
  readonly cert: string
  readonly key: string
}

const dayMilliseconds = 24 * 3600 * 1000

/*
 * Makes a certificate (RFC 5280), because Node can sign but cannot make certificates. It is for 127.0.0.1
 * and localhost, is its own authority, and is valid for one day.
 */
export function makeCertificate(): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const content = sequence(
    tagged(0xa0, integer(Buffer.of(2))),
    integer(Buffer.concat([Buffer.of(1), randomBytes(8)])),
    ecdsaWithSha256,
    name,
    sequence(time(Date.now() - dayMilliseconds), time(Date.now() + dayMilliseconds)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(isAuthority, alternativeNames)),
  )
  const signature = tagged(0x03, Buffer.of(0), sign('sha256', content, privateKey))
  return {
    cert: pem(sequence(content, ecdsaWithSha256, signature)),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

function tagged(tag: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  const length =
    body.length < 128 ? Buffer.of(body.length) : Buffer.of(0x82, body.length >> 8, body.length & 0xff)
  return Buffer.concat([Buffer.of(tag), length, body])
}

const sequence = (...parts: readonly Buffer[]) => tagged(0x30, ...parts)
const integer = (bytes: Buffer) => tagged(0x02, bytes)
const objectId = (hex: string) => tagged(0x06, Buffer.from(hex, 'hex'))
const octets = (content: Buffer) => tagged(0x04, content)
const yes = tagged(0x01, Buffer.of(0xff))
/** YYMMDDHHMMSSZ */
const time = (moment: number) =>
  tagged(
    0x17,
    Buffer.from(
      new Date(moment)
        .toISOString()
        .replace(/[-:T]|\.\d+/g, '')
        .slice(2),
    ),
  )

const ecdsaWithSha256 = sequence(objectId('2a8648ce3d040302'))
const name = sequence(tagged(0x31, sequence(objectId('550403'), tagged(0x0c, Buffer.from('Parley bench')))))
const isAuthority = sequence(objectId('551d13'), yes, octets(sequence(yes)))
const alternativeNames = sequence(
  objectId('551d11'),
  octets(sequence(tagged(0x87, Buffer.of(127, 0, 0, 1)), tagged(0x82, Buffer.from('localhost')))),
)

function pem(content: Buffer): string {
  const lines = content.toString('base64').match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}
