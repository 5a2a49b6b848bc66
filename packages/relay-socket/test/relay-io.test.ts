import { expect, test } from 'vitest'
import { chooseRelayIo } from '#relay-socket/index.js'

const works = async () => null

test('uses plain ws if that is wanted, without a check [RT-48]', async () => {
  const check = () => Promise.reject(new Error('not wanted'))
  expect(await chooseRelayIo('ws', { check })).toEqual({ io: 'ws', reason: null })
})

test.each(['19.0.0', '21.7.3', '27.0.0'])(
  'uses plain ws on Node %s, which is not proven [RT-48]',
  async (nodeVersion) => {
    expect(await chooseRelayIo('fast', { nodeVersion, check: works })).toEqual({
      io: 'ws',
      reason: `The fast path was not tested on Node ${nodeVersion}.`,
    })
  },
)

test('uses the fast path on a proven version if the check succeeds [RT-48]', async () => {
  expect(await chooseRelayIo('fast', { nodeVersion: '20.20.2', check: works })).toEqual({
    io: 'fast',
    reason: null,
  })
})

test('uses plain ws if the check finds a difference or fails [RT-48]', async () => {
  const nodeVersion = '20.20.2'
  const differs = async () => 'The fast path changed frames in its self-check.'
  expect(await chooseRelayIo('fast', { nodeVersion, check: differs })).toEqual({
    io: 'ws',
    reason: await differs(),
  })
  const check = () => Promise.reject(new Error('no loopback'))
  expect(await chooseRelayIo('fast', { nodeVersion, check })).toEqual({
    io: 'ws',
    reason: 'Error: no loopback',
  })
})

test('passes its self-check on this version of Node [RT-48]', async () => {
  expect(await chooseRelayIo('fast')).toEqual({ io: 'fast', reason: null })
})
