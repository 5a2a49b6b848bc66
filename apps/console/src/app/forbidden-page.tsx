import { IconLock } from '@tabler/icons-react'
import { useConsole } from '../data/console-context'
import { EmptyState } from '../parts/empty-state'
import { PageFrame } from '../parts/page-frame'
import { ButtonLink } from '../parts/text-link'

/** Shown if the user's role does not include the page. */
export function ForbiddenPage() {
  const { membership } = useConsole()
  return (
    <PageFrame title="Access denied">
      <EmptyState
        icon={IconLock}
        title="You do not have access to this page"
        action={<ButtonLink to="/">Back to home</ButtonLink>}
      >
        Your role is {membership.role} in {membership.name}. Ask an owner or admin for access.
      </EmptyState>
    </PageFrame>
  )
}
