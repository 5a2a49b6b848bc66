import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { SignedIn } from '@parley/sdk'
import { useEffect } from 'react'

const noticeId = 'wrong-codes'
const closedKey = 'parley.wrongCodes'
const timeFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** Warns once per session about wrong codes that were sent together with the right password. */
export function useWrongCodesNotice({ wrongCodes, session }: SignedIn): void {
  const { count, since } = wrongCodes ?? { count: 0, since: '' }
  useEffect(() => {
    if (count === 0 || localStorage.getItem(closedKey) === session.id) return
    const close = () => localStorage.setItem(closedKey, session.id)
    notifications.show({
      id: noticeId,
      color: 'red',
      title: 'Someone may know your password',
      message: (
        <>
          <Text size="sm">
            {count === 1 ? 'A wrong code was' : `${count} wrong codes were`} entered with your password since{' '}
            {timeFormat.format(new Date(since))}. If this was not you, change your password.
          </Text>
          <Group justify="end" mt="xs">
            <Button
              size="xs"
              component="a"
              href="#/account"
              onClick={() => {
                close()
                notifications.hide(noticeId)
              }}
            >
              Change password
            </Button>
          </Group>
        </>
      ),
      autoClose: false,
      onClose: close,
    })
  }, [count, since, session.id])
}
