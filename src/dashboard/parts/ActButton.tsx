import { Button, type ButtonProps } from '@mantine/core'
import { useApiMutation } from './use-api-mutation.ts'

/**
 * A button that calls the API and shows the progress, and a refusal as a toast. It shows a spinner while the request is
 * in progress, and then its success or the error.
 */
export function ActButton({
  act,
  done,
  ...button
}: Omit<ButtonProps, 'loading'> & {
  /** @throws ApiError */
  act(): Promise<unknown>
  /** The text of the success message. */
  done?: string
}) {
  const { isBusy, run } = useApiMutation()
  return <Button {...button} loading={isBusy} onClick={() => void run(act, { done })} />
}
