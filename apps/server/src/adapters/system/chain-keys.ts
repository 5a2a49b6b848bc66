import { createHash, hkdfSync } from 'node:crypto'
import type { ChainKey, ChainKeys } from '../../ports/secrets.js'

const keyBytes = 32
const idLength = 16

export interface RotatingChainKeys extends ChainKeys {
  /** Seals with the key of this secret from now on; the one before stays in use. */
  use(secret: string): void
}

/** Keys of audit chains for these secrets, apart from those that stored secrets are sealed with. */
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
