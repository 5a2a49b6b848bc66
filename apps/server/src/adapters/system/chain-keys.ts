import { createHash, hkdfSync } from 'node:crypto'
import type { ChainKey, ChainKeys } from '../../ports/secrets.js'

const keyBytes = 32
const idLength = 16

export interface RotatingChainKeys extends ChainKeys {
  /** Uses this secret for new seals. The previous secret remains usable. */
  use(secret: string): void
}

/** Creates the audit chain keys from these secrets. They differ from the keys that seal stored secrets. */
export function makeChainKeys(secret: string, ...others: readonly string[]): RotatingChainKeys {
  let [current, older] = [chainKeyOf(secret), others.map(chainKeyOf)]
  return {
    current: () => current,
    inUse: () => [current, ...older],
    use(next) {
      older = [current, ...older]
      current = chainKeyOf(next)
    },
  }
}

function chainKeyOf(secret: string): ChainKey {
  const bytes = Buffer.from(hkdfSync('sha256', secret, 'parley', 'audit chain', keyBytes))
  return { id: createHash('sha256').update(bytes).digest('hex').slice(0, idLength), bytes }
}
