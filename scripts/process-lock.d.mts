/**
 * Waits for other processes with the same work, and holds the lock until this process ends. Each process creates a file
 * named `file` with its process id appended. `work` names the work for the line "Another … runs".
 * @throws when the folder cannot be written to, or the other process does not end
 */
export function acquireProcessLock(file: string, work: string): void
