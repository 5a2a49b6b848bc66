import type { NetworkAddress } from '../network-address.js'
import type { ClientListener, ClientTransaction } from './client-transaction.js'
import type { Credentials } from './digest.js'
import type { SipRequest } from './message.js'
import type { Transactions } from './transactions.js'

export interface RequestPlan {
  readonly target: NetworkAddress
  readonly isInDialog: boolean
  /** Builds the request. Called again for each challenge, with a new CSeq. */
  build(): SipRequest
  readonly listener: ClientListener
  /** Whether the request is still wanted. A challenge is not answered otherwise. */
  isWanted?(): boolean
}

const maxAnswers = 2

/** A request that is sent again when the server asks for the password: RFC 3261 section 22. */
export class AuthenticatedRequest {
  readonly #transactions: Transactions
  readonly #credentials: Credentials
  readonly #plan: RequestPlan
  #answers = 0
  #transaction: ClientTransaction

  constructor(transactions: Transactions, credentials: Credentials, plan: RequestPlan) {
    this.#transactions = transactions
    this.#credentials = credentials
    this.#plan = plan
    // Answers to old challenges could be of use to the other side of a call.
    this.#transaction = this.#send(!plan.isInDialog)
  }

  /** The newest attempt. */
  get transaction(): ClientTransaction {
    return this.#transaction
  }

  #send(withCredentials: boolean): ClientTransaction {
    const request = this.#plan.build()
    const answers = withCredentials ? this.#credentials.headersFor(request.method, request.uri) : []
    const { target, listener } = this.#plan
    return this.#transactions.request({ ...request, headers: [...request.headers, ...answers] }, target, {
      responded: (response) => {
        const isChallenge = response.status === 401 || response.status === 407
        if (isChallenge && this.#answers < maxAnswers && (this.#plan.isWanted?.() ?? true)) {
          const challenge = this.#credentials.learn(response, this.#plan.isInDialog)
          // The same password fails again unless only the nonce was too old.
          if (challenge === 'stale' || (challenge === 'fresh' && this.#answers === 0)) {
            this.#answers += 1
            this.#transaction = this.#send(true)
            return
          }
        }
        listener.responded(response)
      },
      failed: (reason) => listener.failed(reason),
    })
  }
}
