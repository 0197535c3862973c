// The face of the workspace, as its owner sees it.
import { useQuery } from '@tanstack/react-query';
import type { BrandingSettings } from '../../../../src/http/api/brandingAnswers.ts';
import { callApi } from '../../app/api.ts';

export type { BrandingSettings };
export type BrandingAnswer = { branding: BrandingSettings };
export type BrandingChange = { name: string | null; accent: string | null; support: string | null };

export const BRANDING_KEY = ['branding'];

export function useBranding() {
  return useQuery({
    queryKey: BRANDING_KEY,
    queryFn: ({ signal }) => callApi<BrandingAnswer>('GET', '/branding', undefined, signal),
    select: ({ branding }) => branding,
    staleTime: 60_000,
  });
}

export const saveBranding = (change: BrandingChange) => callApi<BrandingAnswer>('PATCH', '/branding', change);
