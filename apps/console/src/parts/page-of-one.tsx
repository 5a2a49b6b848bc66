import { NotFoundError } from '@parley/sdk'
import type { Icon } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { EmptyState } from './empty-state'
import { ErrorNotice } from './error-notice'
import { PageFrame } from './page-frame'

interface PageOfOneProps<Item> {
  /** The resource's name until it is loaded. */
  readonly title: string
  readonly read: UseQueryResult<Item>
  /** Shown if it does not exist. */
  readonly missing: { readonly icon: Icon; readonly title: string; readonly why: string }
  /** The page, or undefined while loading. */
  readonly children: (item: Item | undefined) => ReactNode
}

/** The page of one resource, including its missing and failed states. */
export function PageOfOne<Item>({ title, read, missing, children }: PageOfOneProps<Item>) {
  const { data, error } = read
  if (error instanceof NotFoundError)
    return (
      <PageFrame title={title}>
        <EmptyState icon={missing.icon} title={missing.title}>
          {missing.why}
        </EmptyState>
      </PageFrame>
    )
  if (error !== null && data === undefined)
    return (
      <PageFrame title={title}>
        <ErrorNotice error={error} onRetry={() => void read.refetch()} />
      </PageFrame>
    )
  return children(data)
}
