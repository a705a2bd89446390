/** Resolves or rejects as the promise does. Rejects after `ms`, because a database may leave a request unanswered. */
export function within<T>(promise: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the database did not answer in time')), ms)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
