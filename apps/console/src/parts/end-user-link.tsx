import type { Conversation } from '@parley/sdk'
import { useEndUser } from '../data/use-end-user'
import { TextLink } from './text-link'

/** A link to the end user of a conversation, or "Anonymous". */
export function EndUserLink({
  of: { endUserId, externalUserId },
}: {
  readonly of: Pick<Conversation, 'endUserId' | 'externalUserId'>
}) {
  const endUser = useEndUser(endUserId)
  if (endUserId === null) return <>Anonymous</>
  return (
    <TextLink to="/end-users/$endUserId" params={{ endUserId }} inherit style={{ overflowWrap: 'anywhere' }}>
      {endUser.data?.name ?? externalUserId ?? endUser.data?.externalId ?? endUserId.slice(0, 8)}
    </TextLink>
  )
}
