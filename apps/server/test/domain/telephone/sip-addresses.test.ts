import { describe, expect, test } from 'vitest'
import { callerOf, isCalled, userOf } from '#server/domain/telephone/sip-addresses.js'

const number = '+4930123456'

test.each([
  ['sip:+4930123456@example.com', '+4930123456'],
  ['sips:ann@example.com;transport=tls', 'ann'],
  ['sip:+4930123456;npdi@example.com:5070', '+4930123456'],
  ['sip:ann:secret@example.com', 'ann'],
  ['sip:%2B4930@example.com', '+4930'],
  ['tel:+4930123456;phone-context=x', '+4930123456'],
  ['sip:example.com', ''],
  ['sip:%zz@example.com', '%zz'],
  ['nonsense', ''],
])('finds the user part of %s', (uri, user) => {
  expect(userOf(uri)).toBe(user)
})

describe('a called number [SIP-5]', () => {
  test.each([
    '+4930123456',
    '004930123456',
    '4930123456',
    '030123456',
    '0 30 / 123456'.replace('/', ''),
    '123456',
  ])('is recognized as %s', (user) => {
    expect(isCalled(number, user)).toBe(true)
  })

  test.each(['+30123456', '0030123456', '23456', '+493012345', 'reception', '', '0301234567'])(
    'is not recognized as %s',
    (user) => {
      expect(isCalled(number, user)).toBe(false)
    },
  )
})

describe('the number of a caller [SIP-7]', () => {
  test.each([
    ['sip:+49171234567@x', '+4930123456', '+49171234567'],
    ['sip:0049171234567@x', '030123456', '+49171234567'],
    ['sip:49171234567@x', '4930123456', '+49171234567'],
    ['sip:0171234567@x', '030123456', '+49171234567'],
    // Nothing tells the country.
    ['sip:0171234567@x', '+4930123456', 'sip:0171234567@x'],
    ['sip:2125551234@x', '+4930123456', 'sip:2125551234@x'],
    // Extensions and names.
    ['sip:620@x', '4930123456', 'sip:620@x'],
    ['sip:ann@Example.com:5070;transport=tcp', '+4930123456', 'sip:ann@example.com'],
    // Names like the external IDs of end users are not those end users.
    ['sip:guest-4711@x', '+4930123456', 'sip:guest-4711@x'],
    ['sip:alice.b@192.0.2.1', '+4930123456', 'sip:alice.b@192.0.2.1'],
  ])('%s, if %s was called, is %s', (from, user, caller) => {
    expect(callerOf(from, { user, number })).toBe(caller)
  })

  test.each([
    'sip:anonymous@anonymous.invalid',
    'sip:+4930@anonymous.invalid',
    'sip:Unknown@example.com',
    'sip:example.com',
    `sip:${'a'.repeat(65)}@example.com`,
    'sip:a%0Ab@example.com',
    'sip:alice%40example.com@example.com',
    'sip:%22ann%22@example.com',
    'sip:ann@exa_mple.com',
    'sip:ann@-',
    `sip:ann@${'a'.repeat(101)}`,
    'tel:620',
  ])('%s is anonymous', (from) => {
    expect(callerOf(from, { user: '+4930123456', number })).toBeNull()
  })
})
