import { Button, Drawer, Group, Stack } from '@mantine/core'
import { type FormEventHandler, type ReactNode, useEffect, useState } from 'react'
import { CoverDrawer } from './covered'
import { ErrorNotice } from './error-notice'
import { focusFirstError } from './focus-first-error'
import { LeaveGuard, LeaveQuestion } from './leave-guard'

/** The state of a drawer with a form. */
export interface FormDrawerState {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onSubmit: FormEventHandler<HTMLFormElement>
  readonly isBusy: boolean
  /** Whether closing would lose input. */
  readonly isDirty: boolean
  readonly error?: unknown
}

interface FormDrawerProps extends FormDrawerState {
  readonly title: string
  readonly action: string
  /** Whether the form is read-only. */
  readonly isReadOnly?: boolean
  readonly children: ReactNode
}

/** A form next to a list. Escape, a click outside and the close button ask before input is lost. */
export function FormDrawer(props: FormDrawerProps) {
  const { title, isOpen, onClose, onSubmit, action, isBusy, isDirty, error = null, children } = props
  const { isReadOnly = false } = props
  const [isAsking, setAsking] = useState(false)
  const [isCovered, setCovered] = useState(false)
  // The call is deferred, because the dialog would receive the same Escape press and close immediately.
  const ask = () => void setTimeout(() => setAsking(true))
  useReturnedFocus()
  return (
    <Drawer
      opened={isOpen}
      onClose={() => (isDirty ? ask() : onClose())}
      closeOnEscape={!isCovered}
      title={title}
      position="right"
      size="lg"
    >
      <CoverDrawer value={setCovered}>
        <form
          onSubmit={(event) => {
            onSubmit(event)
            focusFirstError(event.currentTarget)
          }}
        >
          <Stack>
            {children}
            {error !== null && <ErrorNotice error={error} />}
            <Group justify="end">
              <Button variant="default" onClick={onClose}>
                {isReadOnly ? 'Close' : 'Cancel'}
              </Button>
              {!isReadOnly && (
                <Button type="submit" loading={isBusy}>
                  {action}
                </Button>
              )}
            </Group>
          </Stack>
        </form>
        <LeaveQuestion
          isOpen={isAsking}
          onLeave={() => {
            setAsking(false)
            onClose()
          }}
          onStay={() => setAsking(false)}
        />
        <LeaveGuard isDirty={isOpen && isDirty} />
      </CoverDrawer>
    </Drawer>
  )
}

/** If the drawer is unmounted without closing, the focus still returns to the row that opened it. */
function useReturnedFocus(): void {
  const [opener] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      setTimeout(() => {
        if (opener instanceof HTMLElement && document.activeElement === document.body) opener.focus()
      })
    },
    [opener],
  )
}
