/** From this length on a secret's encodings are its own; those of a shorter one would be found in other data. */
const encodedLength = 4
/** From this length on a secret is found in the Base64 of something longer, too. */
const alignedLength = 6

/** Every spelling in which a server is likely to give a secret back, letter case aside. */
export function spellingsOf(secret: string): string[] {
  const inJson = JSON.stringify(secret).slice(1, -1)
  const inUrl = encodeURIComponent(secret.toWellFormed())
  const bytes = Buffer.from(secret.toWellFormed())
  return [
    secret,
    inJson,
    inJson.replaceAll('/', '\\/'),
    inJson.replaceAll(/[^\x20-\x7e]/g, unicodeEscape),
    inUrl,
    inUrl.replaceAll('%20', '+'),
    inHtml(secret),
    ...(secret.length < encodedLength ? [] : [...inHex(bytes), ...inBase64(bytes)]),
  ]
}

const unicodeEscape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

function inHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

/** Bare, as a dump of bytes, and as a URL in which everything is escaped. */
function inHex(bytes: Buffer): string[] {
  const digits = bytes.toString('hex')
  const apart = (mark: string) => digits.replaceAll(/..(?!$)/g, `$&${mark}`)
  return [digits, apart(' '), apart(':'), `%${apart('%')}`]
}

function inBase64(bytes: Buffer): string[] {
  const offsets = bytes.length < alignedLength ? [] : [0, 1, 2]
  const texts = [bytes.toString('base64'), ...offsets.map((offset) => insideBase64(bytes, offset))]
  return texts.flatMap((text) => [text, text.replace(/=+$/, ''), base64Url(text)])
}

/** The letters that stand for these bytes and nothing else, where so many bytes of a group of three stand before them. */
function insideBase64(bytes: Buffer, offset: number): string {
  const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64')
  const bitsBefore = offset * 8
  return text.slice(Math.ceil(bitsBefore / 6), Math.floor((bitsBefore + bytes.length * 8) / 6))
}

const base64Url = (text: string) => text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
