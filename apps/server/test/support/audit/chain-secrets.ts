import { makeChainKeys } from '#server/adapters/system/chain-keys.js'
import { makeCipher } from '#server/adapters/system/cipher.js'
import { makeAuditSigning } from '#server/domain/audit/record-signature.js'

const testSecret = 'a secret for tests that is long enough'

/** The keys with which the test services seal chains. */
export const chainSecrets = { chainKeys: makeChainKeys(testSecret), cipher: makeCipher(testSecret) }

/** The key with which those services sign records. */
export const testSigning = makeAuditSigning(chainSecrets.chainKeys, () => undefined)
