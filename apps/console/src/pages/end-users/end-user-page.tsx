import { Button, Skeleton, Tabs } from '@mantine/core'
import type { EndUser } from '@parley/sdk'
import { IconPencil, IconUserOff } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useConsole } from '../../data/console-context'
import { useEndUser } from '../../data/use-end-user'
import { useFilter } from '../../data/use-filter'
import { PageFrame } from '../../parts/page-frame'
import { PageOfOne } from '../../parts/page-of-one'
import { TabStrip } from '../../parts/tab-strip'
import { TextLink } from '../../parts/text-link'
import { EndUserConversations, EndUserSessions } from './end-user-activity'
import { EndUserDrawer } from './end-user-drawer'
import { EndUserMemory } from './end-user-memory'
import { EndUserOverview } from './end-user-overview'
import { EndUserUsage } from './end-user-usage'
import { EraseEndUser } from './erase-end-user'
import { ErasureNotice } from './erasure-notice'
import { ExportEndUser } from './export-end-user'

const missing = {
  icon: IconUserOff,
  title: 'End user not found',
  why: 'The end user may have been erased.',
}

const erased = { icon: IconUserOff, title: 'End user erased', why: 'All data of this end user is deleted.' }

const tabs = ['conversations', 'sessions', 'usage', 'memory'] as const

/** One end user: details, activity, usage and memory. */
export function EndUserPage() {
  const { endUserId } = useParams({ from: '/inside/end-users/$endUserId' })
  const endUser = useEndUser(endUserId)
  return (
    <PageOfOne title="End user" read={endUser} missing={endUser.data?.erasure ? erased : missing}>
      {(data) =>
        data === undefined ? (
          <PageFrame title="End user">
            <Skeleton h={150} />
          </PageFrame>
        ) : (
          <LoadedEndUser key={endUserId} endUser={data} />
        )
      }
    </PageOfOne>
  )
}

function LoadedEndUser({ endUser }: { readonly endUser: EndUser }) {
  const { may } = useConsole()
  const [filter, setFilter] = useFilter(['tab'])
  const [isEditing, setEditing] = useState(false)
  const tab = tabs.find((value) => value === filter.tab) ?? 'overview'
  const panel = { flex: 1, mih: 0, pt: 'sm' }
  return (
    <PageFrame
      title={endUser.name ?? endUser.externalId}
      back={
        <TextLink to="/end-users" size="sm">
          Back to end users
        </TextLink>
      }
      actions={
        endUser.erasure === null && (
          <>
            {may('conversation:write') && (
              <Button
                variant="default"
                leftSection={<IconPencil size={16} />}
                onClick={() => setEditing(true)}
              >
                Edit
              </Button>
            )}
            <ExportEndUser endUser={endUser} />
            {may('conversation:write') && <EraseEndUser endUser={endUser} />}
          </>
        )
      }
      isFilling
    >
      {endUser.erasure !== null && <ErasureNotice erasure={endUser.erasure} />}
      <Tabs
        value={tab}
        onChange={(next) => setFilter({ tab: next === 'overview' || next === null ? '' : next })}
        keepMounted={false}
        flex={1}
        mih={0}
        display="flex"
        style={{ flexDirection: 'column' }}
      >
        <TabStrip value={tab}>
          <Tabs.Tab value="overview">Overview</Tabs.Tab>
          <Tabs.Tab value="conversations">Conversations</Tabs.Tab>
          <Tabs.Tab value="sessions">Sessions</Tabs.Tab>
          {may('usage:read') && <Tabs.Tab value="usage">Usage</Tabs.Tab>}
          <Tabs.Tab value="memory">Memory</Tabs.Tab>
        </TabStrip>
        <Tabs.Panel value="overview" {...panel} style={{ overflow: 'auto' }}>
          <EndUserOverview endUser={endUser} />
        </Tabs.Panel>
        <Tabs.Panel value="conversations" {...panel}>
          <EndUserConversations endUserId={endUser.id} />
        </Tabs.Panel>
        <Tabs.Panel value="sessions" {...panel}>
          <EndUserSessions endUserId={endUser.id} />
        </Tabs.Panel>
        {may('usage:read') && (
          <Tabs.Panel value="usage" {...panel} style={{ overflow: 'auto' }}>
            <EndUserUsage endUserId={endUser.id} />
          </Tabs.Panel>
        )}
        <Tabs.Panel value="memory" {...panel}>
          <EndUserMemory endUserId={endUser.id} />
        </Tabs.Panel>
      </Tabs>
      {isEditing && <EndUserDrawer endUser={endUser} onClose={() => setEditing(false)} />}
    </PageFrame>
  )
}
