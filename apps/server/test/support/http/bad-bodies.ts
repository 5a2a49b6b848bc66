import type { ErrorCode } from '@parley/contract'

export const mebibyte = 1024 * 1024

export type BadBody = readonly [title: string, body: string | Uint8Array, code: ErrorCode, mediaType?: string]

export const nested = (depth: number, open: string, close: string) =>
  `${open.repeat(depth)}0${close.repeat(depth)}`
const bytesIn = (...bytes: readonly number[]) =>
  new Uint8Array(Buffer.concat([Buffer.from('{"name":"'), Uint8Array.from(bytes), Buffer.from('"}')]))

/** Bodies that every operation rejects. */
export const badBodies: readonly BadBody[] = [
  ['nothing', '', 'InvalidRequest'],
  ['white space', ' \n ', 'InvalidRequest'],
  ['an array', '[]', 'InvalidRequest'],
  ['a text', '"text"', 'InvalidRequest'],
  ['a number', '7', 'InvalidRequest'],
  ['true', 'true', 'InvalidRequest'],
  ['null', 'null', 'InvalidRequest'],
  ['an incomplete object', '{"name":"', 'InvalidRequest'],
  ['a trailing comma', '{"name":"a",}', 'InvalidRequest'],
  ['single quotes', "{'name':'a'}", 'InvalidRequest'],
  ['two values', '{}{}', 'InvalidRequest'],
  ['NaN', '{"name":NaN}', 'InvalidRequest'],
  ['a raw NUL', '{"name":"a\0b"}', 'InvalidRequest'],
  ['a raw line break in a string', '{"name":"a\nb"}', 'InvalidRequest'],
  ['a byte that is not UTF-8', bytesIn(0xff), 'InvalidRequest'],
  ['half a surrogate pair as UTF-8', bytesIn(0xed, 0xa0, 0x80), 'InvalidRequest'],
  ['an overlong slash', bytesIn(0xc0, 0xaf), 'InvalidRequest'],
  ['an incomplete character', bytesIn(0xe2, 0x82), 'InvalidRequest'],
  ['UTF-16', new Uint8Array(Buffer.from('{"name":"a"}', 'utf16le')), 'InvalidRequest'],
  ['a __proto__ field', '{"__proto__":{"isAdmin":true}}', 'InvalidRequest'],
  ['a constructor.prototype field', '{"constructor":{"prototype":{"isAdmin":true}}}', 'InvalidRequest'],
  ['70 levels of arrays', nested(70, '[', ']'), 'InvalidRequest'],
  ['70 levels of objects', nested(70, '{"a":', '}'), 'InvalidRequest'],
  ['one byte more than 1 MiB', '{}'.padEnd(mebibyte + 1), 'TooLarge'],
  ['a form', 'name=a', 'UnsupportedMediaType', 'application/x-www-form-urlencoded'],
  ['a file', '--a--', 'UnsupportedMediaType', 'multipart/form-data; boundary=a'],
  ['plain text', '{}', 'UnsupportedMediaType', 'text/plain'],
  ['a media type that starts like JSON', '{}', 'UnsupportedMediaType', 'application/jsonx'],
  ['no media type', '{}', 'UnsupportedMediaType', ''],
  ['an invalid media type', '{}', 'UnsupportedMediaType', 'json'],
]

/** More such bodies, too large to send to every operation. */
export const hugeBodies: readonly BadBody[] = [
  ['200000 levels of arrays', nested(200_000, '[', ']'), 'InvalidRequest'],
  ['150000 levels of objects', nested(150_000, '{"a":', '}'), 'InvalidRequest'],
  ['an array of 500000 items', `[${'0,'.repeat(499_999)}0]`, 'InvalidRequest'],
  ['10 MB', '{}'.padEnd(10_000_000), 'TooLarge'],
]
