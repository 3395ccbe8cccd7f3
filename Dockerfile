FROM python:3.12-slim AS build

ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore

WORKDIR /source
COPY pyproject.toml constraints.txt README.md LICENSE ./
COPY engine engine
COPY locales locales
COPY renders renders
COPY bot bot
COPY caravanserai caravanserai
RUN python -m venv --without-pip /venv \
    && pip --python /venv/bin/python install ".[postgres]" -c constraints.txt

# Not in /source, where Python would import the sources instead of the installed package.
WORKDIR /
RUN /venv/bin/python -m renders.prerendering


FROM python:3.12-slim

ENV PATH=/venv/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 DATA_DIR=/data

# Keep this user id: the files of existing volumes belong to it.
RUN useradd --system --key SYS_UID_MAX=10001 --uid 10001 --no-create-home --shell /usr/sbin/nologin caravanserai \
    && install -d -o caravanserai -m 700 /data
COPY --from=build /venv /venv

WORKDIR /app
USER caravanserai
VOLUME /data

# The bot touches this file while it is connected to Discord; run it with --restart unless-stopped.
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
    CMD ["python", "-c", "import os, sys, time; sys.exit(time.time() - os.stat('/data/alive').st_mtime > 90)"]

CMD ["caravanserai", "run"]
