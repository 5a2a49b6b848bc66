import { IconMapOff } from '@tabler/icons-react'
import { EmptyState } from '../parts/empty-state'
import { PageFrame } from '../parts/page-frame'
import { ButtonLink } from '../parts/text-link'

/** Shown inside the frame for an unknown address. */
export function MissingPage() {
  return (
    <PageFrame title="Page not found">
      <EmptyState
        icon={IconMapOff}
        title="This address does not exist"
        action={<ButtonLink to="/">Back to home</ButtonLink>}
      >
        The link may be from an older version.
      </EmptyState>
    </PageFrame>
  )
}
