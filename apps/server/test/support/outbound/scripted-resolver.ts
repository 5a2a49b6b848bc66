import type { Resolver } from '#server/adapters/outbound/address-guard.js'

export interface ScriptedResolver {
  readonly resolver: Resolver
  readonly asked: readonly string[]
}

/** Answers each query for a name with the next line of its script, and then always with the last one. */
export function scriptResolver(
  script: Readonly<Record<string, readonly (readonly string[])[]>>,
): ScriptedResolver {
  const asked: string[] = []
  return {
    asked,
    async resolver(hostname) {
      const turn = asked.filter((name) => name === hostname).length
      asked.push(hostname)
      const lines = script[hostname]
      if (lines === undefined) throw new Error(`getaddrinfo ENOTFOUND ${hostname}`)
      const addresses = lines[Math.min(turn, lines.length - 1)] ?? []
      return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    },
  }
}
