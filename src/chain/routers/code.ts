// The five routers as they are built and recognised: their code, their constructors' arguments, and their permanent wiring.
import { type Abi, type Address, encodeDeployData, type Hex } from 'viem';
import { botRouterBytecode, botRouterImmutables, botRouterRuntime } from './abis/BotRouter.bytecode.ts';
import { botRouterAbi } from './abis/BotRouter.ts';
import {
  businessRouterBytecode,
  businessRouterImmutables,
  businessRouterRuntime,
} from './abis/BusinessRouter.bytecode.ts';
import { businessRouterAbi } from './abis/BusinessRouter.ts';
import { escrowRouterBytecode, escrowRouterImmutables, escrowRouterRuntime } from './abis/EscrowRouter.bytecode.ts';
import { escrowRouterAbi } from './abis/EscrowRouter.ts';
import { paymentRouterBytecode, paymentRouterImmutables, paymentRouterRuntime } from './abis/PaymentRouter.bytecode.ts';
import { paymentRouterAbi } from './abis/PaymentRouter.ts';
import {
  subscriptionRouterBytecode,
  subscriptionRouterImmutables,
  subscriptionRouterRuntime,
} from './abis/SubscriptionRouter.bytecode.ts';
import { subscriptionRouterAbi } from './abis/SubscriptionRouter.ts';

/** In the order in which they are deployed. */
export const ROUTER_NAMES = ['escrow', 'bot', 'payment', 'business', 'subscription'] as const;
export type RouterName = (typeof ROUTER_NAMES)[number];
export type Routers = Record<RouterName, Address>;

export type RouterRoles = {
  owner: Address;
  guardian: Address;
  treasury: Address;
  /** Attests claims of escrows. */
  authority: Address;
  executors: readonly Address[];
};

/** What routers are wired to: it never changes. */
export type Wiring = {
  usdc: Address;
  wrappedNative: Address;
  permit2: Address;
  /** The only way to other chains; the zero address for none. */
  bridgeAdapter: Address;
};

/** What the subscription router takes from a charge, of 10,000. */
export const SUBSCRIPTION_FEE_BASIS_POINTS = 100n;

export type Code = { bytecode: Hex; runtime: Hex; immutables: readonly { start: number; length: number }[] };
type Build = Code & {
  abi: Abi;
  args(roles: RouterRoles, wiring: Wiring, routers: Routers): readonly unknown[];
  /** The views that show the wiring, and what they must answer. */
  wired(wiring: Wiring, routers: Routers): Record<string, Address | bigint>;
};

const BUILDS: Record<RouterName, Build> = {
  escrow: {
    abi: escrowRouterAbi,
    bytecode: escrowRouterBytecode,
    runtime: escrowRouterRuntime,
    immutables: escrowRouterImmutables,
    args: ({ owner, guardian, authority, executors }, { usdc, wrappedNative, permit2 }, { bot }) => [
      owner,
      guardian,
      authority,
      executors,
      usdc,
      wrappedNative,
      bot,
      permit2,
    ],
    wired: ({ usdc, wrappedNative, permit2 }, { bot }) => ({ usdc, wrappedNative, permit2, botRouter: bot }),
  },
  bot: {
    abi: botRouterAbi,
    bytecode: botRouterBytecode,
    runtime: botRouterRuntime,
    immutables: botRouterImmutables,
    args: ({ owner, guardian, treasury, executors }, { usdc, wrappedNative, bridgeAdapter }, { escrow }) => [
      owner,
      guardian,
      treasury,
      executors,
      usdc,
      wrappedNative,
      escrow,
      bridgeAdapter,
    ],
    wired: ({ usdc, wrappedNative, bridgeAdapter }, { escrow }) => ({
      usdc,
      wrappedNative,
      escrowRouter: escrow,
      bridgeAdapter,
    }),
  },
  payment: {
    abi: paymentRouterAbi,
    bytecode: paymentRouterBytecode,
    runtime: paymentRouterRuntime,
    immutables: paymentRouterImmutables,
    args: ({ owner, guardian, treasury }, { usdc, permit2 }) => [owner, guardian, treasury, usdc, permit2],
    wired: ({ usdc, permit2 }) => ({ usdc, permit2 }),
  },
  business: {
    abi: businessRouterAbi,
    bytecode: businessRouterBytecode,
    runtime: businessRouterRuntime,
    immutables: businessRouterImmutables,
    args: ({ owner, guardian, treasury }, { usdc, permit2 }) => [owner, guardian, treasury, usdc, permit2],
    wired: ({ usdc, permit2 }) => ({ usdc, permit2 }),
  },
  subscription: {
    abi: subscriptionRouterAbi,
    bytecode: subscriptionRouterBytecode,
    runtime: subscriptionRouterRuntime,
    immutables: subscriptionRouterImmutables,
    args: ({ owner, guardian, treasury, executors }, { usdc, permit2 }) => [
      owner,
      guardian,
      treasury,
      executors,
      usdc,
      permit2,
      SUBSCRIPTION_FEE_BASIS_POINTS,
    ],
    wired: ({ usdc, permit2 }) => ({ usdc, permit2, feeBasisPoints: SUBSCRIPTION_FEE_BASIS_POINTS }),
  },
};

/** What creates a router: its code with the constructor's arguments. */
export function routerInitCode(name: RouterName, roles: RouterRoles, wiring: Wiring, routers: Routers): Hex {
  const { abi, bytecode, args } = BUILDS[name];
  return encodeDeployData({ abi, bytecode, args: args(roles, wiring, routers) });
}

export function routerAbi(name: RouterName): Abi {
  return BUILDS[name].abi;
}

/** The views of a router that show its wiring, and what they must answer. */
export function routerWiring(name: RouterName, wiring: Wiring, routers: Routers): Record<string, Address | bigint> {
  return BUILDS[name].wired(wiring, routers);
}

/** Whether deployed code is this source's router of that name, whatever it was wired to. */
export function isRouterCode(name: RouterName, code: Hex | undefined): boolean {
  return isCodeOf(BUILDS[name], code);
}

/** Whether deployed code is what was built, whatever its immutables are. */
export function isCodeOf(build: Code, code: Hex | undefined): boolean {
  return code !== undefined && maskImmutables(code, build.immutables) === expectedCode(build);
}

const masked = new WeakMap<Code, Hex>();
/** Masking costs some milliseconds and the source does not change while we run. */
function expectedCode(build: Code): Hex {
  const known = masked.get(build) ?? maskImmutables(build.runtime, build.immutables);
  masked.set(build, known);
  return known;
}

/** The code with zeros in place of every immutable. Plain text is cut, because codes are long and every process does this at its start. */
function maskImmutables(code: Hex, immutables: Code['immutables']): Hex {
  const parts: string[] = [];
  let at = 0;
  for (const { start, length } of immutables) {
    const from = 2 + start * 2;
    if (code.length < from + length * 2) return code;
    parts.push(code.slice(at, from), '0'.repeat(length * 2));
    at = from + length * 2;
  }
  return [...parts, code.slice(at)].join('') as Hex;
}
