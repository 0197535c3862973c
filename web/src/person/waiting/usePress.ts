// A button that starts something: what was pressed is not pressed twice, not even before the page has drawn it as pressed.
import type { UseMutationResult } from '@tanstack/react-query';
import { useRef } from 'react';

export function usePress<Result, Vars>({ mutate }: UseMutationResult<Result, Error, Vars>): (vars: Vars) => void {
  const isPressed = useRef(false);
  return (vars) => {
    if (isPressed.current) return;
    isPressed.current = true;
    const letGo = () => {
      isPressed.current = false;
    };
    mutate(vars, { onSettled: letGo });
  };
}
