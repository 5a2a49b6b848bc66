import { makeChainKeys } from '#server/adapters/system/chain-keys.js'
import { makeCipher } from '#server/adapters/system/cipher.js'
import { makeAuditSigning } from '#server/domain/audit/record-signature.js'

const testSecret = 'a secret for tests that is long enough'

/** What chains are sealed with by the services that tests start. */
export const chainSecrets = { chainKeys: makeChainKeys(testSecret), cipher: makeCipher(testSecret) }

/** What records are signed with by those services. */
export const testSigning = makeAuditSigning(chainSecrets.chainKeys, () => undefined)
