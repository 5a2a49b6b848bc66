import { afterEach, describe, expect, test } from 'vitest'
import { makeProviderOutbound } from '#server/adapters/outbound/provider-outbound.js'
import type { ProviderOutbound } from '#server/ports/outbound.js'
import { failureOf, limits, useOutbound } from '../../support/outbound/outbound-fixture.js'
import { scriptResolver } from '../../support/outbound/scripted-resolver.js'

const { guarded, serve } = useOutbound()
const { resolver } = scriptResolver({ 'model.test': [['127.0.0.1']] })
let providerOutbound: ProviderOutbound

afterEach(() => providerOutbound.close())

/** A provider in a private network behind a name that does not show it. */
async function servePrivateProvider() {
  const server = await serve()
  const address = `http://model.test:${server.port}/v1`
  const outbound = guarded({ allowedPrivateHosts: [], resolver })
  providerOutbound = makeProviderOutbound({
    outbound,
    allowedPrivateHosts: [],
    resolver,
    environmentAddress: address,
  })
  return { server, address, outbound, providerOutbound }
}

describe('the private provider address from the environment [OUT-6]', () => {
  test('can be reached by the connection from the environment', async () => {
    const { providerOutbound, address } = await servePrivateProvider()
    const response = await providerOutbound
      .forConnection({ address, isFromEnvironment: true })
      .fetch(address, limits)
    expect(await response.text()).toBe('hello')
  })

  const others: readonly [who: string, from: boolean, path: (address: string) => string | null][] = [
    ['a connection of another organization', false, (address) => address],
    ['its own connection once it leads to another path', true, (address) => `${address}/admin`],
    ['its own connection once it leads to another port', true, () => 'http://model.test:1/v1'],
    ['a connection without an address', true, () => null],
  ]

  test.each(others)('cannot be reached by %s', async (_, isFromEnvironment, path) => {
    const { providerOutbound, address, server, outbound } = await servePrivateProvider()
    const chosen = providerOutbound.forConnection({ address: path(address), isFromEnvironment })
    expect(chosen).toBe(outbound)
    const failure = await failureOf(chosen.fetch(address, limits))
    expect(failure).toMatchObject({ reason: 'refused', detail: expect.stringContaining('not a public') })
    expect(server.hits).toEqual([])
  })

  test('cannot be reached by other callers over an open connection', async () => {
    const { providerOutbound, address, server, outbound } = await servePrivateProvider()
    await (
      await providerOutbound.forConnection({ address, isFromEnvironment: true }).fetch(address, limits)
    ).text()
    expect((await failureOf(outbound.fetch(address, limits))).reason).toBe('refused')
    expect(server.hits).toHaveLength(1)
  })

  test('cannot be left by a redirect to another port', async () => {
    const elsewhere = await serve()
    const server = await serve((_, response) =>
      response.writeHead(302, { location: `http://127.0.0.1:${elsewhere.port}/` }).end(),
    )
    const address = `http://127.0.0.1:${server.port}/v1`
    const outbound = guarded({ allowedPrivateHosts: [] })
    providerOutbound = makeProviderOutbound({
      outbound,
      allowedPrivateHosts: [],
      environmentAddress: address,
    })
    const chosen = providerOutbound.forConnection({ address, isFromEnvironment: true })
    expect((await failureOf(chosen.fetch(address, limits))).reason).toBe('refused')
    expect(elsewhere.hits).toEqual([])
  })
})
