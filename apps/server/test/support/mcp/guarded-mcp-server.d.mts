export interface GuardedMcpServer {
  readonly url: string
  readonly seen: {
    readonly registered: string[]
    readonly consents: { readonly scopes?: string[]; readonly resource: string }[]
    readonly renewals: string[]
    readonly revoked: string[]
    /** The redirect addresses of the preregistered client. */
    redirectUris: string[]
    /** Fields of token responses that the test replaces. */
    answer: Readonly<Record<string, unknown>>
    /** Called before each token renewal. */
    beforeRenewal: () => Promise<void>
  }
  /** Invalidates every issued access token. */
  forgetAccess(): void
  forgetRefresh(): void
  close(): Promise<void>
}

export function startGuardedMcpServer(options?: { readonly canRegister?: boolean }): Promise<GuardedMcpServer>
