import { notifications } from '@mantine/notifications'
import { createElement } from 'react'
import { errorMessageOf } from '../data/error-message'
import { ErrorText } from './error-notice'

/** Shows an error as a notice, if the page has no area for it. */
export function showError(error: unknown, title = 'Something went wrong'): void {
  notifications.show({ color: 'red', title, message: createElement(ErrorText, errorMessageOf(error)) })
}
