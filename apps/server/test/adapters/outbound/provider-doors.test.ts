import { afterEach, describe, expect, test } from 'vitest'
import { makeProviderDoors } from '#server/adapters/outbound/provider-doors.js'
import type { ProviderDoors } from '#server/ports/outbound.js'
import { failureOf, limits, useOutbound } from '../../support/outbound/outbound-fixture.js'
import { scriptResolver } from '../../support/outbound/scripted-resolver.js'

const { guarded, serve } = useOutbound()
const { resolver } = scriptResolver({ 'model.test': [['127.0.0.1']] })
let doors: ProviderDoors

afterEach(() => doors.close())

/** A provider in a private network, under a name that does not show it. */
async function openDoors() {
  const server = await serve()
  const address = `http://model.test:${server.port}/v1`
  const outbound = guarded({ allowedPrivateHosts: [], resolver })
  doors = makeProviderDoors({ outbound, allowedPrivateHosts: [], resolver, environmentAddress: address })
  return { server, address, outbound, doors }
}

describe('[OUT-6] the address of the environment is open', () => {
  test('to the connection that the environment has made', async () => {
    const { doors, address } = await openDoors()
    const response = await doors.doorOf({ address, isFromEnvironment: true }).fetch(address, limits)
    expect(await response.text()).toBe('hello')
  })

  const strangers: readonly [who: string, from: boolean, path: (address: string) => string | null][] = [
    ['a connection of somebody else', false, (address) => address],
    ['its own connection once it leads to another path', true, (address) => `${address}/admin`],
    ['its own connection once it leads to another port', true, () => 'http://model.test:1/v1'],
    ['a connection without an address', true, () => null],
  ]

  test.each(strangers)('and not to %s', async (_, isFromEnvironment, path) => {
    const { doors, address, server, outbound } = await openDoors()
    const door = doors.doorOf({ address: path(address), isFromEnvironment })
    expect(door).toBe(outbound)
    const failure = await failureOf(door.fetch(address, limits))
    expect(failure).toMatchObject({ reason: 'refused', detail: expect.stringContaining('not a public') })
    expect(server.hits).toEqual([])
  })

  test('and not to others by a connection that stands open', async () => {
    const { doors, address, server, outbound } = await openDoors()
    await (await doors.doorOf({ address, isFromEnvironment: true }).fetch(address, limits)).text()
    expect((await failureOf(outbound.fetch(address, limits))).reason).toBe('refused')
    expect(server.hits).toHaveLength(1)
  })

  test('and not on its other ports, by a redirect', async () => {
    const elsewhere = await serve()
    const server = await serve((_, response) =>
      response.writeHead(302, { location: `http://127.0.0.1:${elsewhere.port}/` }).end(),
    )
    const address = `http://127.0.0.1:${server.port}/v1`
    const outbound = guarded({ allowedPrivateHosts: [] })
    doors = makeProviderDoors({ outbound, allowedPrivateHosts: [], environmentAddress: address })
    const door = doors.doorOf({ address, isFromEnvironment: true })
    expect((await failureOf(door.fetch(address, limits))).reason).toBe('refused')
    expect(elsewhere.hits).toEqual([])
  })
})
