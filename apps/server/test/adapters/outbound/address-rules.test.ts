import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isPublicAddress } from '#server/adapters/outbound/address-rules.js'
import { makeOutbound } from '#server/adapters/outbound/outbound.js'

const outbound = makeOutbound({ allowedPrivateHosts: [] })

/** First address and prefix length of every non-public IPv4 block in IANA's special-purpose registry. */
const specialBlocks: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['168.63.129.16', 32],
]

function toNumber(address: string): number {
  return address.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0)
}

function octets(value: number): readonly [number, number, number, number] {
  return [
    Math.floor(value / 2 ** 24),
    Math.floor(value / 2 ** 16) % 256,
    Math.floor(value / 256) % 256,
    value % 256,
  ]
}

function isIn([first, prefix]: readonly [string, number], value: number): boolean {
  return value >= toNumber(first) && value < toNumber(first) + 2 ** (32 - prefix)
}

const special = fc
  .constantFrom(...specialBlocks)
  .chain(([first, prefix]) => fc.nat(2 ** (32 - prefix) - 1).map((offset) => toNumber(first) + offset))

const ordinary = fc.nat(2 ** 32 - 1).filter((value) => !specialBlocks.some((block) => isIn(block, value)))

/** Every spelling of one IPv4 address that the URL parser accepts. */
const spellings: Readonly<Record<string, (value: number) => string>> = {
  dotted: (value) => octets(value).join('.'),
  'dotted with a final dot': (value) => `${octets(value).join('.')}.`,
  decimal: (value) => String(value),
  octal: (value) => `0${value.toString(8)}`,
  hexadecimal: (value) => `0x${value.toString(16)}`,
  'dotted octal': (value) =>
    octets(value)
      .map((octet) => `0${octet.toString(8)}`)
      .join('.'),
  'dotted hexadecimal': (value) =>
    octets(value)
      .map((octet) => `0X${octet.toString(16)}`)
      .join('.'),
  'two parts': (value) => `${octets(value)[0]}.${value % 2 ** 24}`,
  'three parts': (value) => `${octets(value)[0]}.${octets(value)[1]}.${value % 2 ** 16}`,
  'mixed bases': (value) => {
    const [a, b] = octets(value)
    return `0x${a.toString(16)}.0${b.toString(8)}.${value % 2 ** 16}`
  },
  'full-width digits': (value) =>
    octets(value)
      .join('.')
      .replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit))),
  'percent-encoded': (value) =>
    octets(value)
      .join('.')
      .replace(/./g, (char) => `%${char.charCodeAt(0).toString(16)}`),
  'ideographic dots': (value) => octets(value).join('\u3002'),
  'IPv4-mapped': (value) => `[::ffff:${octets(value).join('.')}]`,
  'IPv4-mapped in groups': (value) =>
    `[0:0:0:0:0:FFFF:${Math.floor(value / 2 ** 16).toString(16)}:${(value % 2 ** 16).toString(16)}]`,
  'behind NAT64': (value) => `[64:ff9b::${octets(value).join('.')}]`,
}

describe('isPublicAddress [OUT-1]', () => {
  test.each([
    '1.1.1.1',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '169.253.255.255',
    '172.15.255.255',
    '172.32.0.0',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2a00:1450:4001:82a::200e',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
  ])('returns true for %s', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })

  test.each([
    '::',
    '::1',
    '::127.0.0.1',
    '::8.8.8.8',
    '::ffff:127.0.0.1',
    '::ffff:0:8.8.8.8',
    '64:ff9b::7f00:1',
    '64:ff9b:1::808:808',
    '100::1',
    '2001::1',
    '2001:2::1',
    '2001:10::1',
    '2001:20::1',
    '2001:db8::1',
    '2002:7f00:1::1',
    '2002:808:808::1',
    '2606:4700:4700:0:0:5efe:7f00:1',
    '2606:4700:4700:0:200:5efe:808:808',
    '3fff::1',
    '4000::1',
    '5f00::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '0x7f.1',
    '127.1',
    'localhost',
    '',
  ])('returns false for %s', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })

  test.each(specialBlocks)('follows the registry at the ends of %s/%i', (first, prefix) => {
    const start = toNumber(first)
    const end = start + 2 ** (32 - prefix) - 1
    expect(isPublicAddress(octets(start).join('.'))).toBe(false)
    expect(isPublicAddress(octets(end).join('.'))).toBe(false)
  })
})

describe.each(Object.entries(spellings))('an IPv4 address in the form %s', (_name, spell) => {
  test('is rejected if it is not public', () => {
    fc.assert(fc.property(special, (value) => outbound.explainRefusal(`http://${spell(value)}/`) !== null))
  })

  test('is accepted if it is public', () => {
    fc.assert(fc.property(ordinary, (value) => outbound.explainRefusal(`http://${spell(value)}/`) === null))
  })
})

test('rejects an IPv6 address outside 2000::/3 unless it maps to a public IPv4 address', () => {
  const groups = fc.array(fc.nat(0xffff), { minLength: 8, maxLength: 8 })
  fc.assert(
    fc.property(groups, (parts) => {
      const [first = 0] = parts
      fc.pre(first >> 13 !== 1 && first !== 0 && first !== 0x64)
      return !isPublicAddress(parts.map((part) => part.toString(16)).join(':'))
    }),
  )
})
